/** Who signs in; `null`, or absent, where nothing was entered. */
interface Person {
  first_name?: string | null;
  last_name?: string | null;
  email?: string | null;
}

/** `Maria Silva`, else the address; empty for nobody. */
export function personName({ first_name: first, last_name: last, email }: Person): string {
  const name = [first, last].map((part) => part?.trim() ?? "").filter((part) => part !== "");
  return name.length > 0 ? name.join(" ") : (email ?? "");
}

/**
 * The name of the person who drives, to stand beside the uid; `null` where the driver has no sign-in with a name, or is
 * called so already.
 */
export function driverName(uid: string, user: Person | undefined): string | null {
  if (user === undefined) return null;
  const name = personName({ ...user, email: null });
  return name === "" || name === uid ? null : name;
}
