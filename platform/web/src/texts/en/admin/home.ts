/** Where the dashboard begins. */
export const home = {
  title: "Home",
  pages: "All pages",
  figuresOf: "{day}: {runs} {runs:run|runs} with {jobs} {jobs:job|jobs}",
  period: "Period",
  weeks: "{n} {n:week|weeks}",
  asTable: "As a table",
  runs: "Runs",
  nothingYet:
    "There were no runs in these weeks. As soon as jobs are planned on the map, the figures of each day stand here.",
  openMap: "Open the map",
  listBehind: "{name}: {value}. Show the list behind it",
  course: "{name} from {from} to {until}: between {least} and {most}",
  nothingMeasured: {
    onTime: "No job has a proof yet.",
    served: "There are no jobs yet.",
    proofs: "There are no jobs in runs yet.",
    load: "No run has a capacity.",
    lengthPerStop: "There are no jobs in runs yet.",
    costPerDrop: "No run has a billing rate.",
  },
  measures: {
    onTime: "On time",
    served: "Jobs served",
    proofs: "Jobs with a proof",
    load: "Load",
    lengthPerStop: "Distance per stop",
    costPerDrop: "Cost per drop",
  },
};
