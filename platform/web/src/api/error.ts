import { texts } from "../texts/index.ts";

/** The contract's error body. */
export interface ErrorBody {
  title?: string;
  description?: unknown;
  error?: string;
  fields?: Record<string, string>;
}

/** A refused or failed call. `message` is what the user reads. */
export class ApiError extends Error {
  /** 0: no answer. */
  readonly status: number;
  readonly code: string | null;
  readonly fields: Record<string, string>;
  readonly body: unknown;
  /** Seconds after which the server wants to be asked again; `null` when it does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, body: unknown, statusText = "", retryAfter: number | null = null) {
    const parsed = errorBody(body);
    super(messageOf(status, parsed, statusText));
    this.name = "ApiError";
    this.status = status;
    this.code = parsed.error ?? null;
    this.fields = parsed.fields ?? {};
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** Whether the service itself answered, and nothing that stands before it. */
  get isFromApi(): boolean {
    const { title, description, error } = errorBody(this.body);
    return [title, description, error].some((part) => part !== undefined && part !== null);
  }

  /** Operators have suspended the organisation: nobody works in it for the time being. */
  get isSuspended(): boolean {
    return this.code === "organisation_suspended";
  }

  get isExpiredToken(): boolean {
    return this.status === 401 && errorBody(this.body).description === texts.errors.expiredToken;
  }
}

/** A call that the user's access levels forbid; it is never sent. */
export function notAuthorised(): ApiError {
  return new ApiError(403, { title: "403 Forbidden", description: texts.errors.notAuthorised });
}

export function errorBody(body: unknown): ErrorBody {
  return typeof body === "object" && body !== null ? body : {};
}

function messageOf(status: number, body: ErrorBody, statusText: string): string {
  if (status === 0 && !navigator.onLine) return texts.errors.offline;
  const { description } = body;
  // Not our fault, and said in words for customers and drivers.
  const said = body.error === "organisation_suspended" && typeof description === "string";
  if ((status === 0 || status >= 500) && !said) return texts.errors.somethingWentWrong;
  if (typeof description === "string" && description !== "") return description;
  if (typeof description === "object" && description !== null && "filters" in description) {
    return `Filters: ${plain(description.filters)}`;
  }
  if (description !== undefined && description !== null) {
    return `${statusText} ${plain(description)}`.trim();
  }
  return body.error ?? (statusText === "" ? texts.errors.unknown : statusText);
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What an error says to the user, whatever was thrown. */
export function messageOfError(error: unknown): string {
  if (error instanceof Error && error.message !== "") return error.message;
  return texts.errors.unknown;
}

/** Outcome of a call whose failure is an ordinary case. */
export type Outcome<T> = { success: true; data: T } | { success: false; error: string; cause: unknown };

/** Turns a call into its outcome: the server's description, its error field or 'Unknown error occurred'. */
export async function outcome<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { success: true, data: await call };
  } catch (cause) {
    return { success: false, error: messageOfError(cause), cause };
  }
}
