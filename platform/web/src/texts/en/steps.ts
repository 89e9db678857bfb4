export const steps = {
  undo: "Undo",
  redo: "Redo",
  undoStep: "Undo: {what}",
  redoStep: "Redo: {what}",
  undone: "Undone: {what}",
  redone: "Done again: {what}",
  kinds: {
    move: "move of jobs",
    bulk_move: "move of jobs",
    reverse: "reversed sequence",
    delay: "delay of a run",
    remedy: "place for an unserved job",
    optimise: "optimisation",
    optimise_run: "optimisation of a run",
  },
};

export const commands = {
  title: "Commands",
  open: "Commands and shortcuts",
  search: "Command, job or run",
  none: "Nothing is called that.",
  groups: { act: "Commands", run: "Runs", job: "Jobs" },
  previousDay: "Previous day",
  nextDay: "Next day",
  noOtherDay: "No plan of another day lies there.",
  toMap: "Skip to the map",
};
