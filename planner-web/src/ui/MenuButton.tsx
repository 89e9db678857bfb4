import MoreIcon from "@mui/icons-material/MoreHoriz";
import { IconButton, Menu, MenuItem } from "@mui/material";
import { type ReactNode, useState } from "react";

/** An entry that does something, or leads to an address such as that of a telephone. */
export type MenuItemOf = { label: string } & ({ act: () => void } | { href: string });

interface MenuButtonProps {
  /** Says what the menu is for; the button shows an icon alone. */
  label: string;
  items: readonly MenuItemOf[];
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
            {...("href" in item && { component: "a", href: item.href })}
            onClick={() => {
              setAnchor(null);
              if ("act" in item) item.act();
            }}
          >
            {item.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
