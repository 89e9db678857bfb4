/** Who else has the same plan open. */
export const presence = {
  label: "Also in this scenario",
  here: "{name} has this scenario open",
  dragging: "{name} is moving {what}",
  editing: "{name} is editing {what}",
  inHand: "{name} has this in hand",
};
