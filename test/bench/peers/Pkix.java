import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.*;
import java.util.*;

/** The JDK's PKIX, as a program that ../peers.ts asks (see there for its lines). */
class Pkix {
  record Case(Date time, List<byte[]> anchors, List<byte[]> issuers, byte[] leaf, List<byte[]> crls, List<byte[]> answers) {}

  public static void main(String[] arguments) throws Exception {
    List<Case> cases = List.of();
    var input = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = input.readLine()) != null; ) {
      var words = line.split("\t");
      if (words[0].equals("load")) {
        cases = Files.readAllLines(Path.of(words[1])).stream().map(Pkix::read).toList();
        System.out.println("loaded");
      } else {
        var verdicts = new StringBuilder();
        for (var one : cases) verdicts.append(isAccepted(one) ? '1' : '0');
        System.out.println(verdicts);
      }
    }
  }

  static Case read(String row) {
    var fields = row.split("\t", -1);
    return new Case(new Date(Long.parseLong(fields[0])), list(fields[1]), list(fields[2]), list(fields[3]).get(0), list(fields[4]), list(fields[5]));
  }

  static List<byte[]> list(String field) {
    return field.isEmpty() ? List.of() : Arrays.stream(field.split(",")).map(Base64.getDecoder()::decode).toList();
  }

  static boolean isAccepted(Case one) {
    try {
      var factory = CertificateFactory.getInstance("X.509");
      var anchors = new HashSet<TrustAnchor>();
      for (var der : one.anchors) anchors.add(new TrustAnchor(certificate(factory, der), null));
      var leaf = certificate(factory, one.leaf);
      var target = new X509CertSelector();
      target.setCertificate(leaf);
      var parameters = new PKIXBuilderParameters(anchors, target);
      parameters.setDate(one.time);
      var store = new ArrayList<Object>(List.of(leaf));
      for (var der : one.issuers)
        try {
          store.add(certificate(factory, der));
        } catch (CertificateException error) {
          // one that cannot be read is no link of a path
        }
      for (var der : one.crls)
        try {
          store.add(factory.generateCRL(new ByteArrayInputStream(der)));
        } catch (CRLException error) {
          // and such a list covers nothing
        }
      parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(store)));
      parameters.setRevocationEnabled(!one.crls.isEmpty());
      var builder = CertPathBuilder.getInstance("PKIX");
      if (!one.answers.isEmpty()) {
        // the answers are in the order of the path: the certificate's, then its issuer's
        var checker = (PKIXRevocationChecker) builder.getRevocationChecker();
        checker.setOptions(Set.of(PKIXRevocationChecker.Option.NO_FALLBACK));
        checker.setOcspResponses(Map.of(leaf, one.answers.get(0), certificate(factory, one.issuers.get(0)), one.answers.get(1)));
        parameters.addCertPathChecker(checker);
      }
      builder.build(parameters);
      return true;
    } catch (Exception error) {
      return false;
    }
  }

  static X509Certificate certificate(CertificateFactory factory, byte[] der) throws CertificateException {
    return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
  }
}
