import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from "@mui/material";
import { texts } from "@routewright/web";
import { create } from "zustand";

interface Asked {
  title: string;
  text: string;
  choices: readonly string[];
  answer: (choice: string | null) => void;
}

const useAsked = create<{ asked: Asked | null }>(() => ({ asked: null }));

/** Puts a question to the user in the middle of some work; `null` when it is left. */
export function ask(title: string, text: string, choices: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const answer = (choice: string | null) => {
      useAsked.setState({ asked: null });
      resolve(choice);
    };
    useAsked.setState({ asked: { title, text, choices, answer } });
  });
}

/** Where questions are shown. */
export function Question() {
  const asked = useAsked((state) => state.asked);
  if (asked === null) return null;
  const { title, text, choices, answer } = asked;
  return (
    <Dialog open onClose={() => answer(null)} aria-labelledby="question">
      <DialogTitle id="question">{title}</DialogTitle>
      <DialogContent>
        <DialogContentText>{text}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => answer(null)}>{texts.common.cancel}</Button>
        {choices.map((choice) => (
          <Button key={choice} variant="outlined" onClick={() => answer(choice)}>
            {choice}
          </Button>
        ))}
      </DialogActions>
    </Dialog>
  );
}
