import { texts } from "@routewright/web";
import polyglotI18nProvider from "ra-i18n-polyglot";
import english from "ra-language-english";
import type { I18nProvider } from "react-admin";
import { fieldLabel } from "../resource/labels.ts";
import type { Noun } from "../data/noun.ts";

const FIELD = /^resources\..+?\.fields\.(.+)$/;

/** react-admin's texts with the product's wording, the nouns' names and the labels of fields. */
export function createI18n(nouns: Noun[]): I18nProvider {
  const messages = {
    ...english,
    ra: {
      ...english.ra,
      notification: {
        ...english.ra.notification,
        created: texts.success.added,
        updated: texts.success.updated,
        deleted: texts.success.deleted,
        http_error: texts.errors.somethingWentWrong,
        not_authorized: texts.errors.notAuthorised,
      },
      navigation: {
        ...english.ra.navigation,
        no_results: texts.common.noResults,
        no_filtered_results: texts.common.noResults,
      },
      validation: {
        ...english.ra.validation,
        required: texts.checks.emptyField,
        email: texts.checks.email,
        number: texts.checks.numeric,
      },
      page: { ...english.ra.page, access_denied: texts.errors.notAuthorised },
      message: { ...english.ra.message, access_denied: texts.errors.notAuthorised },
    },
    resources: Object.fromEntries(
      nouns.map((noun) => [noun.name, { name: `${noun.singular} |||| ${noun.plural}` }]),
    ),
  };
  const provider = polyglotI18nProvider(() => messages, "en", [{ locale: "en", name: "English" }], {
    allowMissing: true,
  });
  return {
    ...provider,
    translate: (key, options) => {
      const field = FIELD.exec(key)?.[1];
      return field ? fieldLabel(field) : provider.translate(key, options);
    },
  };
}
