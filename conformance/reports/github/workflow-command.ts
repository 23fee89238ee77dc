/** What GitHub's runner reads as the end of a message, or of a property. */
const IN_MESSAGE = /[%\r\n]/g;
const IN_PROPERTY = /[%\r\n:,]/g;

/**
 * A line that GitHub's runner takes for a command (GitHub's documentation, "Workflow commands"), whatever its texts hold.
 * @param properties in the order in which they are to stand
 */
export function workflowCommand(
  name: string,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const stated = Object.entries(properties).map(
    ([property, value]) => `${property}=${String(value).replaceAll(IN_PROPERTY, escaped)}`,
  );
  return `::${name}${stated.length === 0 ? "" : ` ${stated.join(",")}`}::${message.replaceAll(IN_MESSAGE, escaped)}\n`;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
