export const settings = {
  accountTitle: "Account Settings",
  modules: "Modules",
  addUsers: "Add Users",
  addUser: "Add user",
  organisation: "Organisation",
  role: "Role",
  firstNameRequired: "First name is required",
  lastNameRequired: "Last name is required",
  organisationRequired: "Organisation is required",
  roleRequired: "Role is required",
};
