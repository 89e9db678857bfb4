import { AppTheme, ConnectionNotice, ErrorBoundary, texts, ThrownError } from "@routewright/web";
import { AdminUI, CoreAdminContext, CustomRoutes, localStorageStore } from "react-admin";
import { createBrowserRouter, Route, useRouteError } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createAuthProvider } from "../data/authProvider.ts";
import { createDataProvider } from "../data/dataProvider.ts";
import { createI18n } from "./i18n.ts";
import { NOUNS } from "./nouns.ts";
import { ALIASES, PAGES } from "./pages.tsx";
import { register } from "../resource/register.tsx";
import { findNoun, know, nounBy } from "../resource/registry.ts";
import { Allowed } from "./Allowed.tsx";
import { Announcements } from "./Announcements.tsx";
import { FirstPage } from "./FirstPage.tsx";
import { NotFound } from "./NotFound.tsx";
import { Shell } from "./Shell.tsx";
import { requestIfMeant } from "../ui/meant.ts";

know(NOUNS);

const dataProvider = createDataProvider(requestIfMeant, nounBy);
const authProvider = createAuthProvider(findNoun);
const i18nProvider = createI18n(NOUNS);
const store = localStorageStore("1", "dashboard");

// A router that knows of navigation before it happens can ask about what was typed and not saved.
const router = createBrowserRouter([{ path: "*", element: <Pages />, errorElement: <Problem /> }], {
  basename: "/dashboard",
});

/** The organisation administrators' dashboard, below `/dashboard`. */
export function Dashboard() {
  return (
    <AppTheme>
      <ErrorBoundary>
        <ConnectionNotice />
        <RouterProvider router={router} />
      </ErrorBoundary>
    </AppTheme>
  );
}

function Problem() {
  return <ThrownError error={useRouteError()} />;
}

function Pages() {
  return (
    <CoreAdminContext
      dataProvider={dataProvider}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      store={store}
    >
      <AdminUI
        layout={Shell}
        dashboard={FirstPage}
        catchAll={NotFound}
        notification={Announcements}
        loginPage={false}
        requireAuth
        disableTelemetry
        title={texts.admin.shell.title}
      >
        {NOUNS.map(register)}
        <CustomRoutes>
          {PAGES.map(({ path, element }) => (
            <Route key={path} path={`/${path}`} element={<Allowed path={path}>{element}</Allowed>} />
          ))}
          {ALIASES.map(({ path, element }) => (
            <Route key={path} path={`/${path}`} element={element} />
          ))}
        </CustomRoutes>
      </AdminUI>
    </CoreAdminContext>
  );
}
