import { Avatar, Box, Button, Divider, IconButton, Popover, Typography } from "@mui/material";
import { ColourModeSwitch, fill, RehearsalDialog, texts, useMayRehearse, useSession } from "@routewright/web";
import { useState } from "react";
import { useLogout } from "react-admin";
import { Link } from "react-router";

/** Who is signed in, with which role, in which organisation; account page and log out. */
export function UserPopover() {
  const user = useSession((state) => state.user);
  const logout = useLogout();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [rehearsing, setRehearsing] = useState(false);
  const { enter: rehearses } = useMayRehearse();
  if (!user) return null;
  const name = [user.first_name, user.last_name].filter(Boolean).join(" ") || user.email;
  return (
    <>
      <IconButton
        aria-label={fill(texts.admin.shell.user, { name })}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Avatar
          sx={{ width: 30, height: 30, fontSize: 13, bgcolor: "primary.main", color: "primary.contrastText" }}
        >
          {initials(name)}
        </Avatar>
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
        transformOrigin={{ vertical: "top", horizontal: "right" }}
      >
        <Box sx={{ p: 2, width: 260 }}>
          <Typography variant="subtitle1">{name}</Typography>
          <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: "anywhere" }}>
            {user.email}
          </Typography>
          <Typography
            variant="body2"
            sx={{ mt: 1 }}
          >{`${user.organisation.name} · ${user.role.name}`}</Typography>
          <Box sx={{ my: 1.5 }}>
            <ColourModeSwitch />
          </Box>
          {rehearses && (
            <Button
              fullWidth
              onClick={() => {
                setAnchor(null);
                setRehearsing(true);
              }}
            >
              {texts.rehearsal.offer}
            </Button>
          )}
          <Divider sx={{ my: 1 }} />
          <Box sx={{ display: "flex", justifyContent: "space-between" }}>
            <Button component={Link} to="/account" onClick={() => setAnchor(null)}>
              {texts.admin.shared.account}
            </Button>
            <Button color="error" onClick={() => void logout()}>
              {texts.admin.shell.logOut}
            </Button>
          </Box>
        </Box>
      </Popover>
      {rehearsing && <RehearsalDialog close={() => setRehearsing(false)} />}
    </>
  );
}

function initials(name: string): string {
  return name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join("");
}
