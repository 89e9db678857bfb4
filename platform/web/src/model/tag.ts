export interface Tag {
  id: number;
  name: string;
  /** `#rrggbb`. */
  color: string;
}
