/// <reference types="vite/client" />

/** Version of this page, for what is told of devices. */
declare const PAGE_VERSION: string;

/** Addresses of the installation, given when the app is built. */
interface ImportMetaEnv {
  /** Where the tutorial's "Book a Demo" leads; the link is hidden without it. */
  readonly VITE_BOOK_DEMO_URL?: string;
  /** Where the driver app is found in the stores; the tutorial's badges are plain pictures without. */
  readonly VITE_IOS_APP_URL?: string;
  readonly VITE_ANDROID_APP_URL?: string;
  /** Page of the support chat; there is no chat without it. */
  readonly VITE_SUPPORT_CHAT_URL?: string;
}
