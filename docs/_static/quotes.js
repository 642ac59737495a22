// Names are indexed with straight apostrophes, and pages show curved ones: what is copied from a page is found too.
const asked = new URL(location);
const words = asked.searchParams.get("q");
if (words?.includes("’")) {
  asked.searchParams.set("q", words.replaceAll("’", "'"));
  location.replace(asked);
}
