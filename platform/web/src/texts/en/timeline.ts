/** The runs over a time axis. */
export const timeline = {
  zoomIn: "Nearer in time",
  zoomOut: "Further in time",
  fit: "Show all hours",
  now: "Go to now",
  resize: "Size of the timeline",
  keys: "Arrow keys go from stop to stop, Enter opens a stop, M moves it; plus, minus and 0 change how much is seen.",
};
