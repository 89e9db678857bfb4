import { questionAfter, request, type RequestOptions } from "@routewright/web";
import { ask } from "./Question.tsx";

/** A call that asks the user where a value is unusual, and is repeated if it is meant. */
export async function requestIfMeant(path: string, options: RequestOptions): Promise<unknown> {
  try {
    return await request(path, options);
  } catch (error) {
    const asked = questionAfter(error);
    const { body } = options;
    if (asked === null || !isFields(body)) throw error;
    const choice = await ask(asked.title, asked.text, [asked.yes]);
    if (choice === null) throw error;
    return request(path, { ...options, body: { ...body, force: true } });
  }
}

function isFields(body: unknown): body is Record<string, unknown> {
  return typeof body === "object" && body !== null && !Array.isArray(body) && !(body instanceof FormData);
}
