import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** What a page may make a phone load before it shows anything. */
export interface Bound {
  /** Module below `src`: an entry of its own, or what the entry of the app fetches for the page. */
  page: string;
  /** Compressed scripts, bytes: the entry, the page, and all that they need at once. */
  most: number;
}

/** Fails the build when a page on the road has grown too large for a slow connection. */
export function firstLoad(bounds: readonly Bound[]): Plugin {
  return {
    name: "first-load",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const app = chunks.find(({ isEntry, name }) => isEntry && name === "index");
      for (const { page, most } of bounds) {
        const chunk = chunks.find(({ facadeModuleId: id }) => id?.endsWith(`/src/${page}`) === true);
        if (app === undefined || chunk === undefined) {
          this.error(`${page} is no part of its own any more: its first load cannot be measured`);
        }
        const needed = new Set<string>();
        const follow = (name: string): void => {
          const file = bundle[name];
          if (needed.has(name) || file?.type !== "chunk") return;
          needed.add(name);
          file.imports.forEach(follow);
        };
        if (!chunk.isEntry) follow(app.fileName);
        follow(chunk.fileName);
        const sizes = [...needed].map((name) => {
          const file = bundle[name];
          return { name, size: file?.type === "chunk" ? gzipSync(file.code).length : 0 };
        });
        const total = sizes.reduce((sum, { size }) => sum + size, 0);
        const parts = sizes
          .toSorted((a, b) => b.size - a.size)
          .map(({ name, size }) => `${name} ${kB(size)}`)
          .join(", ");
        const text = `${page} loads ${kB(total)} of compressed scripts at first, ${kB(most)} at most`;
        if (total > most) this.error(`${text}: ${parts}`);
        this.info(text);
      }
    },
  };
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
