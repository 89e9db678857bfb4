/** Frame of the dashboard. */
export const shell = {
  user: "User {name}",
  errorsCount: "{n} {n:error|errors}",
  pageTitle: "{page} – Routewright Admin",
  pages: "Admin pages",
  title: "Routewright Admin",
  breadcrumb: "Breadcrumb",
  admin: "Admin",
  errors: "Errors",
  closeMenu: "Close menu",
  openMenu: "Open menu",
  product: "Routewright",
  expandMenu: "Expand menu",
  collapseMenu: "Collapse menu",
  logOut: "Log out",
  map: "Map",
  liveOverview: "Live Overview",
  customerView: "Customer View",
};

export const account = {
  organisation: "Organisation",
  timezone: "Timezone",
  passwordHelp: "Left empty, the password stays as it is. A change ends all other sessions.",
  currentPasswordHelp: "Needed for a new email or password, so that nobody else can change them here.",
  pendingAddress:
    "Your new email {pending} is not confirmed yet. Please open the link that was sent to it. Until then you sign in with {email}.",
  keepAddress: "Keep the old email",
  modules: "Modules of the organisation",
};
