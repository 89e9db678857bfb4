import { texts } from "@routewright/web";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../phone/Button.tsx";
import { Notice } from "../phone/Notice.tsx";
import { readCodes } from "./read-codes.ts";

interface ScannerProps {
  onCode: (code: string) => void;
  onClose: () => void;
}

/** The camera, telling each code that it sees once. */
export function Scanner({ onCode, onClose }: ScannerProps): ReactNode {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const told = useRef(onCode);
  useEffect(() => {
    told.current = onCode;
  }, [onCode]);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    const ended = new AbortController();
    const seen = new Set<string>();
    readCodes(element, ended.signal, (code) => {
      if (seen.has(code)) return;
      seen.add(code);
      told.current(code);
    }).catch(() => {
      if (!ended.signal.aborted) setProblem(texts.runsheet.noCamera);
    });
    return () => ended.abort();
  }, []);
  return (
    <div className="ph-stack">
      {problem === null ? (
        <video ref={video} muted playsInline aria-label={texts.runsheet.scan} className="ph-video" />
      ) : (
        <Notice tone="warning">{problem}</Notice>
      )}
      <Button kind="outlined" onClick={onClose}>
        {texts.runsheet.endScan}
      </Button>
    </div>
  );
}
