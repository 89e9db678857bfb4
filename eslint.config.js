import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", "**/target/**", "platform/web/src/api/schema.d.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { "react-hooks": hooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    files: ["admin-web/src/**/*.{ts,tsx}", "planner-web/src/**/*.{ts,tsx}", "platform/web/src/**/*.{ts,tsx}"],
    rules: {
      // Days and times are written in one way, by units/time.ts, whatever the browser's language is.
      "no-restricted-properties": [
        "error",
        ...["toLocaleDateString", "toLocaleTimeString", "toLocaleString"].map((property) => ({
          property,
          message: "Use dateText, clockText or momentText of @routewright/web.",
        })),
      ],
    },
  },
);
