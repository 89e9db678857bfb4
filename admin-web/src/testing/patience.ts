import { configure } from "@testing-library/react";

// A form is judged and a list is read in some milliseconds, or in seconds where the machine is busy.
configure({ asyncUtilTimeout: 8000 });
