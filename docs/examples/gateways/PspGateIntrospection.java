// After Spring Security's documentation of opaque tokens; not run by the suite of psp-gate.
// server.ssl.client-auth=want, and a trust manager that takes every certificate: psp-gate verifies it.
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.RequestEntity;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.introspection.SpringOpaqueTokenIntrospector;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.client.RestTemplate;

@Configuration
class PspGateIntrospection {
    private static final URI GATE = URI.create("http://127.0.0.1:8787/v1/introspect");

    /** `request` is the one that is being served: Spring gives a proxy of it. */
    @Bean
    OpaqueTokenIntrospector introspector(HttpServletRequest request) {
        var introspector = new SpringOpaqueTokenIntrospector(GATE.toString(), new RestTemplate());
        introspector.setRequestEntityConverter(token -> {
            var body = new LinkedMultiValueMap<String, String>();
            body.add("token", token);
            return RequestEntity.post(GATE)
                    .headers(headers -> headers.setBasicAuth("sandbox-fi", "sandbox-secret"))
                    .header("fi_reference_id", "PSDXX-TEST-FI0001")
                    .header("version", "1")
                    .header("eidas", certificateOf(request))
                    .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                    .body(body);
        });
        return introspector;
    }

    private static String certificateOf(HttpServletRequest request) {
        var chain = (X509Certificate[]) request.getAttribute("jakarta.servlet.request.X509Certificate");
        // without it a stolen token would be active
        if (chain == null) throw new BadOpaqueTokenException("no certificate was shown");
        try {
            return Base64.getEncoder().encodeToString(chain[0].getEncoded());
        } catch (CertificateEncodingException e) {
            throw new BadOpaqueTokenException("the certificate cannot be encoded", e);
        }
    }
}
