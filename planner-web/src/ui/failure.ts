/** A fixed failure text, with the reason where there is one. */
export function failureText(text: string): (error: unknown) => string {
  return (error) => (error instanceof Error && error.message !== "" ? `${text}: ${error.message}` : text);
}
