/** An id that nobody else has. `crypto.randomUUID` is missing where the page came without encryption. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
