import { Box } from "@mui/material";
import { type ReactNode, useEffect, useState } from "react";

interface HighlightProps {
  /** Value of the element's `data-tutorial` attribute. */
  target: string;
}

/** How often the element's place is asked for: panels open and the window changes while a step is shown. */
const FOLLOW = 200;

/** A red outline around the element that the step is about. */
export function Highlight({ target }: HighlightProps): ReactNode {
  const [box, setBox] = useState<DOMRect | null>(null);
  useEffect(() => {
    const follow = (): void => {
      const element = document.querySelector(`[data-tutorial="${target}"]`);
      setBox(element?.getBoundingClientRect() ?? null);
    };
    const first = setTimeout(follow, 0);
    const timer = setInterval(follow, FOLLOW);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [target]);
  if (box === null || box.width === 0) return null;
  return (
    <Box
      aria-hidden
      data-tutorial-outline
      sx={{
        position: "fixed",
        left: box.left - 3,
        top: box.top - 3,
        width: box.width + 6,
        height: box.height + 6,
        border: "3px solid #d32f2f",
        borderRadius: 1,
        pointerEvents: "none",
        zIndex: 1250,
      }}
    />
  );
}
