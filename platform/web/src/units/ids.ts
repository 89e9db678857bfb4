/** An id that nobody else has. `crypto.randomUUID` is missing where the page came without encryption. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

const UID_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** A random uid of a unit: 8 upper-case letters and digits. */
export function randomUid(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(8));
  return Array.from(numbers, (number) => UID_LETTERS[number % UID_LETTERS.length]).join("");
}
