/** What the optional parts of the product are called, by their key; the server says the same. */
export const modules = {
  gefco: "Freight forwarder",
  units: "Units",
  returns: "Returns",
  containers: "Containers",
  all_purpose_transport_bunzl: "Packaging distributor",
  all_purpose_transport: "Freight partner",
  udf: "Events & Actions",
  gefco_nld: "KPI data export",
  constraints_checker: "Constraints checker",
};
