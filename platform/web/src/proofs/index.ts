export { ItemProofs } from "./ItemProofs.tsx";
export { Photos } from "./Photos.tsx";
export * from "./proof-rules.ts";
export { ProofCard } from "./ProofCard.tsx";
export { Section } from "./Section.tsx";
export { returnSteps, Steps, type TimelineStep, unitSteps } from "./Steps.tsx";
export { UnitDetails, type WholeUnit } from "./UnitDetails.tsx";
export { UnitProofs } from "./UnitProofs.tsx";
