import { texts } from "@routewright/web";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { Button } from "../phone/Button.tsx";

export interface PhotoPickerProps {
  photos: readonly Blob[];
  onChange: (photos: Blob[]) => void;
  most: number;
  label: string;
  /** Why it cannot stay as it is. */
  error?: string | null;
}

/** Photos from the camera or from files. */
export function PhotoPicker({ photos, onChange, most, label, error = null }: PhotoPickerProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const urls = useMemo(() => photos.map((photo) => URL.createObjectURL(photo)), [photos]);
  useEffect(() => () => urls.forEach((url) => URL.revokeObjectURL(url)), [urls]);
  return (
    <div className="ph-stack">
      {urls.length > 0 && (
        <div className="ph-row">
          {urls.map((url, index) => (
            <div key={url} className="ph-photo">
              <img src={url} alt={`${texts.runsheet.photos} ${index + 1}`} />
              <Button
                icon="close"
                label={`${texts.common.remove} ${index + 1}`}
                onClick={() => onChange(photos.filter((_, at) => at !== index))}
              />
            </div>
          ))}
        </div>
      )}
      <div>
        <Button
          kind="outlined"
          tone={error === null ? "primary" : "error"}
          icon="camera"
          disabled={photos.length >= most}
          onClick={() => input.current?.click()}
        >
          {label}
        </Button>
      </div>
      {error !== null && <span className="ph-error">{error}</span>}
      <input
        ref={input}
        hidden
        type="file"
        multiple
        accept="image/*"
        aria-label={label}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          event.target.value = "";
          onChange([...photos, ...chosen].slice(0, most));
        }}
      />
    </div>
  );
}
