import { clockText, fill, texts } from "@routewright/web";
import ErrorIcon from "@mui/icons-material/ErrorOutlined";
import {
  Badge,
  Box,
  Button,
  IconButton,
  List,
  ListItem,
  ListItemText,
  Popover,
  Typography,
} from "@mui/material";
import { useState } from "react";
import { clearErrors, useResourceErrors } from "../data/errors.ts";
import { useTimezone } from "../data/organisation.ts";

/** The latest failures of the dashboard's calls, shown on demand and cleared by the user. */
export function ErrorState() {
  const timezone = useTimezone();
  const errors = useResourceErrors((state) => state.errors);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (errors.length === 0) return null;
  return (
    <>
      <IconButton
        aria-label={fill(texts.admin.shell.errorsCount, { n: errors.length })}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Badge badgeContent={errors.length} color="error">
          <ErrorIcon />
        </Badge>
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
        transformOrigin={{ vertical: "top", horizontal: "right" }}
      >
        <Box sx={{ width: 360, maxWidth: "90vw", p: 1.5 }}>
          <Box sx={{ display: "flex", justifyContent: "space-between", alignItems: "center" }}>
            <Typography variant="subtitle1">{texts.admin.shell.errors}</Typography>
            <Button
              onClick={() => {
                setAnchor(null);
                clearErrors();
              }}
            >
              {texts.admin.shared.clear}
            </Button>
          </Box>
          <List dense sx={{ maxHeight: 360, overflowY: "auto" }}>
            {errors.map((error) => (
              <ListItem key={error.id} disableGutters>
                <ListItemText
                  primary={error.message}
                  secondary={`${clockText(new Date(error.at).toISOString(), timezone)} · ${error.call} · ${error.status}`}
                />
              </ListItem>
            ))}
          </List>
        </Box>
      </Popover>
    </>
  );
}
