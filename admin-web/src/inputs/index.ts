export { ClockInput } from "./ClockInput.tsx";
export { ColourInput } from "./ColourInput.tsx";
export { ExtraFieldsInput } from "./ExtraFieldsInput.tsx";
export { MomentInput } from "./MomentInput.tsx";
export { PlaceInput } from "./PlaceInput.tsx";
export { ManyInput, OneInput } from "./OneInput.tsx";
export { WordsInput } from "./WordsInput.tsx";
export { DistanceInput } from "./DistanceInput.tsx";
export { Group, Row } from "./layout.tsx";
