import { toastError, toastInfo, Toasts, toastSuccess, toastWarning } from "@routewright/web";
import { isValidElement, useEffect } from "react";
import { useNotificationContext, useTranslate } from "react-admin";

const SHOW: Record<string, typeof toastInfo | undefined> = {
  success: toastSuccess,
  info: toastSuccess,
  warning: toastWarning,
  error: toastError,
};

/** Shows react-admin's notifications as toasts of the house: 3 s, 6 s over 50 characters. */
export function Announcements() {
  const { notifications, takeNotification } = useNotificationContext();
  const translate = useTranslate();
  useEffect(() => {
    const next = notifications.length > 0 ? takeNotification() : undefined;
    if (!next || isValidElement(next.message)) return;
    const show = SHOW[next.type] ?? toastInfo;
    show(translate(next.message as string, { ...next.notificationOptions?.messageArgs }));
  }, [notifications, takeNotification, translate]);
  return <Toasts />;
}
