/** How the kit was started, as it can be typed again: by the script of its own package, or as an installed program. */
export function kitCommand(environment: NodeJS.ProcessEnv = process.env): string {
  return environment["npm_lifecycle_event"] === "conformance"
    ? "npm run --silent conformance --"
    : "npx launch-draft-conformance";
}
