import {
  askToSignIn,
  hasModule,
  holds,
  mayCall,
  onlyView,
  session,
  signOut,
  startSession,
} from "@routewright/web";
import type { AuthProvider } from "react-admin";
import type { Noun } from "./noun.ts";

/** react-admin's view of the session that both web apps share. Without one, the planner's sign-in is opened. */
export function createAuthProvider(nounBy: (name: string) => Noun | undefined): AuthProvider {
  return {
    login: () => Promise.reject(new Error("Sign in at /")),
    logout: () => {
      if (session().user) signOut();
      else askToSignIn();
      return Promise.resolve(false);
    },
    checkAuth: async () => {
      await startSession();
      const { user } = session();
      if (user === null) throw new Error("Not signed in");
      const view = onlyView(user);
      if (view === undefined) return;
      window.location.replace(view);
      // The page is being left; nothing of the dashboard is to be drawn meanwhile.
      await new Promise<never>(() => undefined);
    },
    // An expired token has already been renewed or signed out by the request layer.
    checkError: () => (session().user ? Promise.resolve() : Promise.reject(new Error("Signed out"))),
    getIdentity: async () => {
      await startSession();
      const user = session().user;
      if (!user) throw new Error("Not signed in");
      const fullName = [user.first_name, user.last_name].filter(Boolean).join(" ") || user.email;
      return { id: user.id, fullName };
    },
    canAccess: async ({ resource, action }) => {
      await startSession();
      const noun = nounBy(resource);
      return noun === undefined || mayAct(noun, action);
    },
  };
}

/** Whether the signed-in user may do `action` (react-admin's words) with records of the noun. */
export function mayAct(noun: Noun, action: string): boolean {
  const user = session().user;
  if (noun.module && !hasModule(user, noun.module)) return false;
  // A list may need more than the noun's own level.
  if (action === "list" && !mayCall("GET", noun.listPath ?? noun.path, user)) return false;
  const level =
    action === "delete"
      ? noun.levels.delete
      : ["create", "edit"].includes(action)
        ? noun.levels.write
        : noun.levels.read;
  return holds(user, level);
}
