import { type AuthUser, useSession } from "@routewright/web";

/** Somebody of the organisation "Costa" is signed in, with these access levels and modules. */
export function signedInAs(levels: string[], modules: string[] = []): AuthUser {
  const user = {
    id: 1,
    email: "ana@example.org",
    role: { id: 1, name: "admin", access_levels: levels },
    organisation: { id: 1, name: "Costa", modules, timezone: "Europe/Lisbon", settings: {} },
  } as unknown as AuthUser;
  useSession.setState({ status: "signed_in", user, token: "t" });
  return user;
}
