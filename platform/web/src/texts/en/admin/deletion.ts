/** Deleting one thing or many. */
export const deletion = {
  title: "Delete {n} {nouns}?",
  titleOne: "Delete {noun}?",
  none: "Nothing can be deleted",
  going: "To be deleted",
  staying: "These stay, and why",
  others: "Delete the others",
  done: "Deleted: {n}",
  organisationTitle: "Delete {name}?",
  organisationText:
    "Nobody works in it any more, its links open nothing and its name is free again. Its data is kept until it is purged; until then it can be brought back under Platform, Health of organisations.",
  organisationDeleted: "Organisation deleted",
  binEmpty: "Nothing was deleted in the last 30 days",
  restore: "Restore",
  restored: "{name} is back",
  bringBack: "Bring back",
  broughtBack: "The organisation is back in service",
};
