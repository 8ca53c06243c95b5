/** The first button of a form with several: Enter then saves, instead of pressing the first of a row. */
export function DefaultButton() {
  return <button type="submit" hidden tabIndex={-1} />
}
