export const messages = {
  title: "Messages that may not have arrived",
  open: "{n} {n:message|messages} may not have arrived",
  why: "The service stopped while these were handed over. Sent again, they may arrive twice.",
  none: "Every message was taken by the mail server or the SMS gateway.",
  sendAgain: "Send again",
  arrived: "It arrived",
  onItsWay: "Sent to {to} again",
  nowArrived: "Noted: {to} has it",
  tryAgain: "Try again",
};
