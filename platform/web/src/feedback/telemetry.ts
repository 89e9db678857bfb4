/** Milliseconds after which a script from elsewhere counts as failed. */
export const SCRIPT_TIMEOUT = 120_000;

/** How much an error service is told: parts of all sessions, of those with an error, and of all calls. */
export const SAMPLING = {
  replaysSessionSampleRate: 0.1,
  replaysOnErrorSampleRate: 1,
  tracesSampleRate: 1,
} as const;

/** What the browser script of a Sentry-compatible service offers. */
interface ErrorService {
  init: (options: typeof SAMPLING) => void;
  captureException: (error: unknown) => void;
}

type WithService = typeof globalThis & { Sentry?: ErrorService; sentryOnLoad?: () => void };
const page = globalThis as WithService;

/**
 * Starts the error reporting of the installation: `url` is the loader script of a Sentry-compatible service. Without
 * one nothing is loaded and nothing leaves the browser. A service that cannot be reached is no reason to fail.
 */
export async function startTelemetry(url = import.meta.env.VITE_TELEMETRY_URL): Promise<void> {
  if (url === undefined || url === "") return;
  // The loader calls this once the service itself is there, which may be later than the loader.
  page.sentryOnLoad = () => page.Sentry?.init(SAMPLING);
  try {
    await loadScript(url);
  } catch (error) {
    console.warn(error);
  }
}

/** Tells the error service, where there is one. */
export function reportError(error: unknown): void {
  page.Sentry?.captureException(error);
}

/** Loads a script from elsewhere into the page; fails when it cannot be had in time. */
export function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const fail = (): void => {
      clearTimeout(timer);
      script.remove();
      reject(new Error(`${url} could not be loaded`));
    };
    const timer = setTimeout(fail, SCRIPT_TIMEOUT);
    script.onerror = fail;
    script.onload = () => {
      clearTimeout(timer);
      resolve();
    };
    script.async = true;
    script.crossOrigin = "anonymous";
    script.src = url;
    document.head.append(script);
  });
}
