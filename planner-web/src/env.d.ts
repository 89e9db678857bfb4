/// <reference types="vite/client" />

/** Addresses of the installation, given when the app is built. */
interface ImportMetaEnv {
  /** Where the tutorial's "Book a Demo" leads; the link is hidden without it. */
  readonly VITE_BOOK_DEMO_URL?: string;
  /** Page of the support chat; there is no chat without it. */
  readonly VITE_SUPPORT_CHAT_URL?: string;
}
