import { Box, Button, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useEffect, useRef } from "react";
import SignaturePad from "signature_pad";

interface SignatureFieldProps {
  label: string;
  /** PNG of the signature; `null` while it is empty. */
  onChange: (signature: Blob | null) => void;
}

/** A place to sign with finger, pen or mouse. */
export function SignatureField({ label, onChange }: SignatureFieldProps): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad | null>(null);
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  }, [onChange]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const ratio = Math.max(1, window.devicePixelRatio);
    element.width = element.offsetWidth * ratio;
    element.height = element.offsetHeight * ratio;
    element.getContext("2d")?.scale(ratio, ratio);
    const signature = new SignaturePad(element, { penColor: "#10283a", backgroundColor: "#ffffff" });
    pad.current = signature;
    signature.addEventListener("endStroke", () =>
      element.toBlob((image) => report.current(image), "image/png"),
    );
    return () => signature.off();
  }, []);
  return (
    <Box sx={{ display: "grid", gap: 0.5 }}>
      <Box sx={{ display: "flex", justifyContent: "space-between", alignItems: "center" }}>
        <Typography variant="subtitle2">{label}</Typography>
        <Button
          onClick={() => {
            pad.current?.clear();
            onChange(null);
          }}
        >
          {texts.runsheet.clearSignature}
        </Button>
      </Box>
      <Box
        component="canvas"
        ref={canvas}
        role="img"
        aria-label={label}
        sx={{
          width: "100%",
          height: 150,
          border: 1,
          borderColor: "divider",
          borderRadius: 1,
          touchAction: "none",
        }}
      />
    </Box>
  );
}
