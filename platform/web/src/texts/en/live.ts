/** The day as it runs. */
export const live = {
  exceptions: "Exceptions",
  none: "Everything goes as planned.",
  kinds: { late: "Late", unsuccessful: "Unsuccessful", problem: "Problems" },
  notSuccessful: "visited without success",
  stillOpen: "still open, {late} after {limit}",
  done: "{n} of {of} stops visited",
};
