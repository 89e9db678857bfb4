import { type RaRecord, Resource } from "react-admin";
import { NounCreate, NounEdit } from "./NounForm.tsx";
import { NounList } from "./NounList.tsx";
import { type Noun, represent } from "../data/noun.ts";

/** A noun's pages as a react-admin resource. */
export function register(noun: Noun) {
  const editable = noun.form !== undefined || noun.edit !== undefined;
  const Edit = noun.edit;
  return (
    <Resource
      key={noun.name}
      name={noun.name}
      list={<NounList noun={noun} />}
      create={noun.form && noun.creatable !== false ? <NounCreate noun={noun} /> : undefined}
      edit={editable ? Edit ? <Edit /> : <NounEdit noun={noun} /> : undefined}
      recordRepresentation={(record: RaRecord) => represent(noun, record)}
      options={{ label: noun.plural }}
    />
  );
}
