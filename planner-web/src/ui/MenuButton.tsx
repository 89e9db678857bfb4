import MoreIcon from "@mui/icons-material/MoreHoriz";
import { IconButton, Menu, MenuItem } from "@mui/material";
import { type ReactNode, useState } from "react";

interface MenuButtonProps {
  /** Says what the menu is for; the button shows an icon alone. */
  label: string;
  items: readonly { label: string; act: () => void }[];
}

/** A button with a menu behind it; nothing when the menu would be empty. */
export function MenuButton({ label, items }: MenuButtonProps): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (items.length === 0) return null;
  return (
    <>
      <IconButton aria-label={label} aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
        <MoreIcon fontSize="small" />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {items.map((item) => (
          <MenuItem
            key={item.label}
            onClick={() => {
              setAnchor(null);
              item.act();
            }}
          >
            {item.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
