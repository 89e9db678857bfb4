import { texts } from "@routewright/web";
import { type ReactNode, useEffect, useRef, useState } from "react";
import SignaturePad from "signature_pad";
import { Button } from "../phone/Button.tsx";

interface SignatureFieldProps {
  label: string;
  /** A signature that was given before, which is shown again. */
  value?: Blob | null;
  /** Why it cannot stay as it is. */
  error?: string | null;
  /** PNG of the signature; `null` while it is empty. */
  onChange: (signature: Blob | null) => void;
}

/** A place to sign with finger, pen or mouse. */
export function SignatureField({
  label,
  value = null,
  error = null,
  onChange,
}: SignatureFieldProps): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad | null>(null);
  const report = useRef(onChange);
  const [first] = useState(value);
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
    const url = first === null ? null : URL.createObjectURL(first);
    if (url !== null) {
      const { offsetWidth: width, offsetHeight: height } = element;
      void signature.fromDataURL(url, { width, height }).finally(() => URL.revokeObjectURL(url));
    }
    return () => signature.off();
  }, [first]);
  return (
    <div className="ph-field">
      <div className="ph-row">
        <span className="ph-label ph-grow">{label}</span>
        <Button
          onClick={() => {
            pad.current?.clear();
            onChange(null);
          }}
        >
          {texts.runsheet.clearSignature}
        </Button>
      </div>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        className="ph-signature"
        data-wrong={error !== null}
      />
      {error !== null && <span className="ph-error">{error}</span>}
    </div>
  );
}
