import { toast } from "sonner";

/** 3 s, 6 s for messages over 50 characters. */
export function toastDuration(message: string): number {
  return message.length > 50 ? 6_000 : 3_000;
}

type ToastId = string | number;

interface Placing {
  /** Replaces the toast with this id, for example a loading one. */
  id?: ToastId | undefined;
  /** Milliseconds; otherwise by length. */
  duration?: number;
  description?: string;
}

export function toastSuccess(message: string, placing: Placing = {}): ToastId {
  return toast.success(message, { duration: toastDuration(message), ...placing });
}

export function toastError(message: string, placing: Placing = {}): ToastId {
  return toast.error(message, { duration: toastDuration(message), ...placing });
}

export function toastWarning(message: string, placing: Placing = {}): ToastId {
  return toast.warning(message, { duration: toastDuration(message), ...placing });
}

export function toastInfo(message: string, placing: Placing = {}): ToastId {
  return toast.info(message, { duration: toastDuration(message), ...placing });
}

/** Stays until replaced by a toast with its id. */
export function toastLoading(message: string, id?: ToastId): ToastId {
  return toast.loading(message, id === undefined ? { duration: Infinity } : { id, duration: Infinity });
}

export function dismissToast(id: ToastId): void {
  toast.dismiss(id);
}

export interface ProgressTexts<T> {
  loading: string;
  success: string | ((result: T) => string);
  failure: string | ((error: unknown) => string);
}

/** Runs work under a loading toast that its success or failure replaces. Failures are rethrown. */
export async function withToast<T>(work: Promise<T>, texts: ProgressTexts<T>): Promise<T> {
  const id = toastLoading(texts.loading);
  try {
    const result = await work;
    toastSuccess(typeof texts.success === "string" ? texts.success : texts.success(result), { id });
    return result;
  } catch (error) {
    toastError(typeof texts.failure === "string" ? texts.failure : texts.failure(error), { id });
    throw error;
  }
}
