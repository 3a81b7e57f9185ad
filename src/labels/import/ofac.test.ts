import { expect, test } from "vitest";
import { testScope } from "../../../test/import_scope.ts";
import { parseOfac } from "./ofac.ts";
import { ListFault } from "./parsed_list.ts";

const EVM = "0x9DCCe783B6464611f38631e6C851bf441907c710";
const HEX = EVM.slice(2).toLowerCase();
const BITCOIN = "123WBUDmSJv4GctdVEz6Qq6z8nXSKrJ4KX";

/** In chunks of seven characters: every element and text is split. */
const pieces = async function* (text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
};
const parse = (text: string, addresses_min = 1) => parseOfac(pieces(text), { scope: testScope(), addresses_min });

const PLAIN = `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="https://ofac.test/XML">
  <publshInformation><Publish_Date>9/7/2026</Publish_Date><Record_Count>2</Record_Count></publshInformation>
  <sdnEntry><uid>1</uid><lastName>OLAF &amp; SONS</lastName><sdnType>Entity</sdnType>
    <programList><program>IRAN</program></programList>
    <idList><id><uid>9</uid><idType>Tax ID No.</idType><idNumber>12</idNumber></id></idList></sdnEntry>
  <sdnEntry><uid>2</uid><firstName>Olaf</firstName><lastName>TRADER</lastName><sdnType>Individual</sdnType>
    <programList><program>CYBER2</program><program>DPRK3</program></programList>
    <idList>
      <id><uid>3</uid><idType>Digital Currency Address - ETH</idType><idNumber>${EVM}</idNumber></id>
      <id><uid>4</uid><idType>Digital Currency Address - XBT</idType><idNumber>${BITCOIN}</idNumber></id>
    </idList></sdnEntry>
</sdnList>`;

const ADVANCED = `<Sanctions xmlns="https://ofac.test/ADVANCED_XML" Version="1">
  <DateOfIssue CalendarTypeID="1"><Year>2026</Year><Month>9</Month><Day>7</Day></DateOfIssue>
  <ReferenceValueSets><FeatureTypeValues>
    <FeatureType ID="8">Birthdate</FeatureType>
    <FeatureType ID="345" FeatureTypeGroupID="1">Digital Currency Address - ETH</FeatureType>
    <FeatureType ID="344" FeatureTypeGroupID="1">Digital Currency Address - XBT</FeatureType>
  </FeatureTypeValues></ReferenceValueSets>
  <DistinctParties>
    <DistinctParty FixedRef="77"><Profile ID="77" PartySubTypeID="4">
      <Identity ID="1" Primary="true">
        <Alias Primary="true"><DocumentedName><DocumentedNamePart><NamePartValue>Olaf</NamePartValue></DocumentedNamePart>
          <DocumentedNamePart><NamePartValue>TRADER</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
        <Alias Primary="false"><DocumentedName><DocumentedNamePart><NamePartValue>Other</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
      </Identity>
      <Feature ID="5" FeatureTypeID="8"><FeatureVersion><VersionDetail>1970</VersionDetail></FeatureVersion></Feature>
      <Feature ID="6" FeatureTypeID="345"><FeatureVersion><Comment/><VersionDetail DetailTypeID="1432">${EVM}</VersionDetail></FeatureVersion></Feature>
      <Feature ID="7" FeatureTypeID="344"><FeatureVersion><VersionDetail DetailTypeID="1432">${BITCOIN}</VersionDetail></FeatureVersion></Feature>
    </Profile></DistinctParty>
  </DistinctParties>
  <SanctionsEntries><SanctionsEntry ID="1" ProfileID="77" ListID="1550">
    <EntryEvent ID="1"><Date CalendarTypeID="1"><Year>2018</Year><Month>11</Month><Day>28</Day></Date></EntryEvent>
    <SanctionsMeasure ID="1"><Comment>CYBER2</Comment></SanctionsMeasure>
    <SanctionsMeasure ID="2"><Comment>DPRK3</Comment></SanctionsMeasure>
    <SanctionsMeasure ID="3"><Comment/></SanctionsMeasure>
  </SanctionsEntry></SanctionsEntries>
</Sanctions>`;

const ENHANCED = `<sanctionsData xmlns="https://ofac.test/ENHANCED_XML">
  <publicationInfo><dataAsOf>2026-09-07T10:00:00Z</dataAsOf></publicationInfo>
  <entities><entity id="77">
    <sanctionsLists><sanctionsList id="1" datePublished="2018-11-28">SDN List</sanctionsList></sanctionsLists>
    <sanctionsPrograms><sanctionsProgram id="1">CYBER2</sanctionsProgram><sanctionsProgram id="2">DPRK3</sanctionsProgram></sanctionsPrograms>
    <names><name id="1"><translations><translation><formattedFullName>Olaf TRADER</formattedFullName></translation></translations></name></names>
    <features>
      <feature id="1"><type featureTypeId="345">Digital Currency Address - ETH</type><value>${EVM}</value></feature>
      <feature id="2"><type featureTypeId="344">Digital Currency Address - XBT</type><value>${BITCOIN}</value></feature>
      <feature id="3"><type featureTypeId="8">Birthdate</type><value>1970</value></feature>
    </features>
  </entity></entities>
</sanctionsData>`;

const said = { entity: "Olaf TRADER", program: "CYBER2, DPRK3", delisted_on: "" };
const bitcoin = { ...said, family: "xbt", address: Buffer.from(BITCOIN).toString("hex"), asset_code: "XBT" };
const evm = { ...said, family: "evm", address: HEX, asset_code: "ETH" };

test.each([
  ["SDN.XML", PLAIN, ""],
  ["SDN_ADVANCED.XML", ADVANCED, "2018-11-28"],
  ["SDN_ENHANCED.XML", ENHANCED, "2018-11-28"],
])("%s has both addresses in spite of its default namespace", async (_name, text, listed_on) => {
  const parsed = await parse(text);
  expect(parsed.published_on).toBe("2026-09-07");
  expect(parsed.version).toBe("2026-09-07");
  expect(parsed.entries).toEqual([
    { ...evm, listed_on },
    { ...bitcoin, listed_on },
  ]);
});

test("fewer addresses than expected are a fault, not an empty list", async () => {
  await expect(parse(PLAIN, 3)).rejects.toThrow("2 digital currency addresses were found and at least 3");
  await expect(parse("<sdnList><sdnEntry/></sdnList>")).rejects.toThrow(ListFault);
});

test("another document, a truncated one and one with unlimited nesting are faults", async () => {
  await expect(parse("<html><body/></html>")).rejects.toThrow("is not one of the SDN file formats");
  await expect(parse(PLAIN.slice(0, -20))).rejects.toThrow(ListFault);
  await expect(parse(`<sdnList>${"<a>".repeat(100)}`)).rejects.toThrow("nested too deeply");
});
