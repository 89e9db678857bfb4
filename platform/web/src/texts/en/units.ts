export const units = {
  title: "Unit Details - {uid}",
  inPool: "In unit pool",
  job: "Job",
  viewScenario: "View Scenario",
};
