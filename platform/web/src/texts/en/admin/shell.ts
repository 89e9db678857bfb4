/** Frame of the dashboard. */
export const shell = {
  user: "User {name}",
  errorsCount: "{n} errors",
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
  modules: "Modules of the organisation",
};
