import { Alert, Box, Button, List, ListItem, ListItemButton, ListItemText, Typography } from "@mui/material";
import { fill, isPlaced, matchText, type Place, texts, toastSuccess } from "@routewright/web";
import { type MapPoint, PinMap } from "@routewright/web/map";
import { type ReactNode, useState } from "react";
import { useMapSettings } from "../map/settings.ts";
import { Modal } from "../ui/Modal.tsx";
import { addressKey, type AddressToConfirm, confirmAddress, useAddressesToConfirm } from "./addresses.ts";
import { LocationField } from "./LocationField.tsx";

/** Addresses that the search was not sure of, each with its pin on the map to confirm or to put right. */
export function AddressesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const all = useAddressesToConfirm(true);
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = all?.find((one) => addressKey(one) === chosen) ?? all?.[0];
  return (
    <Modal title={texts.addresses.title} width={1_080} onClose={onClose}>
      <Typography color="textSecondary" sx={{ mb: 1.5 }}>
        {texts.addresses.help}
      </Typography>
      {all?.length === 0 && <Alert severity="success">{texts.addresses.none}</Alert>}
      {all !== null && shown !== undefined && (
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "320px minmax(0, 1fr)" },
          }}
        >
          <List
            aria-label={texts.addresses.title}
            sx={{ overflow: "auto", p: 0, maxHeight: { xs: "28dvh", md: "58vh" } }}
          >
            {all.map((one) => (
              <ListItem key={addressKey(one)} disablePadding>
                <ListItemButton
                  selected={one === shown}
                  aria-current={one === shown}
                  onClick={() => setChosen(addressKey(one))}
                >
                  <ListItemText
                    primary={one.address}
                    secondary={`${one.client_name ?? texts.addresses.noClient} · ${matchText(matchOf(one))}`}
                    slotProps={{ primary: { sx: { overflowWrap: "anywhere" } } }}
                  />
                </ListItemButton>
              </ListItem>
            ))}
          </List>
          <OneAddress key={addressKey(shown)} one={shown} onConfirmed={() => setChosen(after(all, shown))} />
        </Box>
      )}
    </Modal>
  );
}

/** Which one is looked at next. */
function after(all: readonly AddressToConfirm[], one: AddressToConfirm): string | null {
  const next = all[all.indexOf(one) + 1];
  return next === undefined ? null : addressKey(next);
}

function matchOf({ confidence, kind, source }: AddressToConfirm): Parameters<typeof matchText>[0] {
  return {
    confidence,
    kind: (kind in texts.addresses.kinds ? kind : "unknown") as keyof typeof texts.addresses.kinds,
    source: (source in texts.addresses.sources ? source : "server") as keyof typeof texts.addresses.sources,
  };
}

interface OneAddressProps {
  one: AddressToConfirm;
  onConfirmed: () => void;
}

function OneAddress({ one, onConfirmed }: OneAddressProps): ReactNode {
  const styleName = useMapSettings((settings) => settings.mapStyle);
  const [point, setPoint] = useState<MapPoint>({ lat: one.lat, lon: one.lon });
  const [other, setOther] = useState<Place | null>(null);
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await confirmAddress(one, point);
      toastSuccess(fill(texts.addresses.confirmed, { address: one.address }));
      onConfirmed();
    } catch {
      setBusy(false);
    }
  };
  return (
    <Box sx={{ display: "grid", gap: 1, minWidth: 0 }}>
      <Box>
        <Typography sx={{ fontWeight: 650, overflowWrap: "anywhere" }}>{one.address}</Typography>
        <Typography variant="body2" color="textSecondary">
          {one.found === null ? null : `${fill(texts.addresses.found, { label: one.found })} · `}
          {fill(texts.addresses.jobs, { uids: one.job_uids.join(", ") })}
        </Typography>
      </Box>
      <LocationField
        label={texts.addresses.search}
        value={other}
        onChange={(place) => {
          setOther(place);
          if (place !== null && isPlaced(place)) setPoint({ lat: place.lat, lon: place.lon });
        }}
      />
      <Box
        role="group"
        aria-label={fill(texts.addresses.map, { address: one.address })}
        sx={{ position: "relative", height: { xs: "34dvh", md: "min(40vh, 420px)" } }}
      >
        <PinMap point={point} onMove={setPoint} styleName={styleName} />
      </Box>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, flexWrap: "wrap" }}>
        <Typography variant="body2" color="textSecondary" aria-live="polite" sx={{ flex: 1 }}>
          {`${point.lat}, ${point.lon}`}
        </Typography>
        <Button variant="contained" loading={busy} onClick={() => void confirm()}>
          {texts.addresses.confirm}
        </Button>
      </Box>
    </Box>
  );
}
