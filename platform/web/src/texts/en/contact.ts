export const contact = {
  never: "The phone was not heard of yet",
  heard: "Phone heard of at {time}",
  silent: "Phone silent since {time}",
  waiting: "{n} {n:proof|proofs} waiting on the phone",
  unconfirmed: "Change not confirmed: {what}",
  unconfirmedSince: "Change of {at} not confirmed: {what}",
  kinds: {
    added: "{n} added",
    moved: "{n} moved",
    times: "{n} with other times",
    removed: "{n} removed",
    wishes: "{n} with a word of the customer",
  },
  confirmed: "Change confirmed at {time}",
};
