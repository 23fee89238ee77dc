/** Returns the entry of a table of forms. The loader checks that the name exists. */
export function formNamed<Form>(forms: Readonly<Record<string, Form>>, name: string): Form {
  return forms[name] as Form;
}
